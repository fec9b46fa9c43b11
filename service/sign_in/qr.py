"""QR codes of links, for pages and for terminals."""

from io import StringIO

import segno


def draw_svg(link: str) -> str:
    """Return a QR code as an SVG element without styles or scripts. The page sets its size."""
    svg: str = segno.make_qr(link, error="m").svg_inline(
        omitsize=True, light="#fff", border=4, svgclass="qr", lineclass=None
    )
    return svg


def draw_text(link: str) -> str:
    out = StringIO()
    segno.make_qr(link, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
