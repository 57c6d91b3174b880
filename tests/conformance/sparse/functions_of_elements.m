% Functions of elements keep the storage.
s = sparse([1 0; 0 2]);
for f = {@exp, @log, @cos, @isfinite, @isnan, @sin, @gamma, @acos, @log2, @sqrt, @abs, @cosh, @isinf, @expm1, @sign, @erfc}
    r = f{1}(s);
    fprintf('%d %d\n', issparse(r), isequal(full(r), f{1}(full(s))));
end
disp(islogical(isfinite(s)))
disp(1:Inf:2), disp(1:-Inf:0), disp(size(5:Inf:2)), disp(numel(0:-Inf:-Inf))
