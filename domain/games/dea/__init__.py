"""DEA (Deus Ex Ark): so far its table; the law comes later."""
