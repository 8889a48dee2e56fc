"""What is believed, and since when: reports entered and taken back, what sensors saw, what was said last."""
