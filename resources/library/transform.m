function made = transform(varargin)
% A datastore that gives what a function makes of each read: made = transform(ds, fcn).
%   transform(ds1, ds2, ..., fcn) calls fcn with a read of each; with 'IncludeInfo', true the
%   function has what read tells beside the data, too: [data, info] = fcn(data, info).
at = find(cellfun(@(v) isa(v, 'function_handle'), varargin), 1);
if isempty(at) || at == 1
    error('MATLAB:io:datastore:transform:Inputs', ...
        'transform takes datastores and a function.');
end
informed = false;
for k = at + 1:2:numel(varargin)
    if ~strcmpi(varargin{k}, 'IncludeInfo') || k == numel(varargin)
        error('MATLAB:io:datastore:transform:UnknownOption', ...
            'The option of transform is ''IncludeInfo'', true or false.');
    end
    informed = logical(varargin{k + 1});
end
made = matlab.io.datastore.TransformedDatastore(varargin(1:at - 1), varargin{at}, informed);
end
