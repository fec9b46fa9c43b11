"""Drawing of tables as HTML."""
