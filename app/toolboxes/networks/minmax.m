function pr = minmax(p)
% pr = minmax(p): the least and the largest of each row of a matrix, or of the matrices in each row of a cell.
if iscell(p)
    pr = cell(size(p, 1), 1);
    for k = 1:size(p, 1), pr{k} = minmax([p{k, :}]); end
else
    pr = [min(p, [], 2), max(p, [], 2)];
end
end
