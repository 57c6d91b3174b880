isempty([] == 1)
isequal([], zeros(0, 0))
isequal(zeros(0, 3), zeros(3, 0))
size([] == [])
