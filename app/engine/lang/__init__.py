"""The lexer, the grammar, the syntax tree and its printer."""
