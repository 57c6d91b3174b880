fliplr([1 2 3]), flipud([1; 2]), rot90([1 2; 3 4]), circshift(1:4, 1), tril(magic(3)), triu(magic(3)), horzcat([1 2], 3), vertcat(1, 2), flip(1:3), permute(ones(2, 3), [2 1])
