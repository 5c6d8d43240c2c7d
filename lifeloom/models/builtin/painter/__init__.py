"""The built-in image maker: people with a stable look, things and places, drawn without weights."""
