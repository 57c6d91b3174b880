"""Operations as nodes of the acceleration graph: what captures them."""
