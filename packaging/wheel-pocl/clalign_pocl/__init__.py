"""The linker for PoCL of pip. clalign finds it here; there is nothing to call."""
