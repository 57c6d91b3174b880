"""The language: parsing, values, builtins, execution and sessions; knows no Qt."""
