"""Series drawn by Qt's painter."""
