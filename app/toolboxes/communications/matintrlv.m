function y = matintrlv(x, rows, columns)
% y = matintrlv(x, rows, columns): the elements written into a matrix by rows and read by columns.
y = intrlv(x, reshape(reshape(1:rows*columns, columns, rows)', 1, []));
end
