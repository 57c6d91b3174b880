isequal(1, int8(1)), isequal('a', 97), isequal([1 2], [1; 2]), isequal({}, []), isequal(true, 1), isequal(struct(), struct())
