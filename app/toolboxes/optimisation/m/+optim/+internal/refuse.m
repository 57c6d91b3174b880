function refuse(search)
% refuse(search): options that have no effect here are refused by their names.
for name = {'OutputFcn', 'PlotFcn'}
    if ~isempty(search.(name{1}))
        error('globaloptim:search:unsupportedOption', 'Option ''%s'' is not supported by %s; set it to [] or leave it out.', name{1}, class(search));
    end
end
if strcmpi(search.Display, 'iter')
    error('globaloptim:search:unsupportedOption', 'Display ''iter'' is not supported by %s; use ''final'' or ''off''.', class(search));
end
end
