function r = small_set_operations()
a = mod((1:200)*7, 101); b = mod((1:150)*5, 97); r = numel(union(a, b)) + numel(intersect(a, b)) + sum(ismember(a, b)) + numel(setdiff(a, b));
end
