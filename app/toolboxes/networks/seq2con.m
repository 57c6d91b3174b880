function b = seq2con(s)
% b = seq2con(s): a row of cells, one for each time, as one cell with all columns; a cell of one for each row.
b = cell(size(s, 1), 1);
for k = 1:size(s, 1), b{k} = [s{k, :}]; end
end
