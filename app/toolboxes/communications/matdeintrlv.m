function y = matdeintrlv(x, rows, columns)
% y = matdeintrlv(x, rows, columns): the inverse of matintrlv.
y = deintrlv(x, reshape(reshape(1:rows*columns, columns, rows)', 1, []));
end
