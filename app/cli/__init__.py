"""The command line: one module per verb; the headless ones import no Qt."""
