"""A text written more plainly before it is read: what is left out is put in, and talk is left out."""
