"""The built-in eyes: find people and things in pictures, tell faces, names, colours and places apart."""
