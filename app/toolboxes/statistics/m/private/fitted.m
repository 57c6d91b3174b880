function m = fitted(m, args)
% The model, or where the call asks for it the model cross-validated.
splits = {'CrossVal', 'KFold', 'Holdout', 'Leaveout', 'CVPartition'};
for k = 2:numel(args) - 1
    if (ischar(args{k}) || (isstring(args{k}) && isscalar(args{k}))) && any(strcmpi(args{k}, splits))
        [~, cross] = classreg.Learner.options('fit', args(k:k + 1), {});
        if ~isempty(cross), m = crossval(m, cross{:}); end
        return
    end
end
end
