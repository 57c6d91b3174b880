isa(1, 'float'), isa(int8(1), 'integer'), isa(single(1), 'numeric'), isa('a', 'float'), isa(true, 'numeric')
