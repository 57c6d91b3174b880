function made = combine(varargin)
% Datastores that are read together: made = combine(ds1, ds2, ...).
%   A read gives what each of them gives, beside each other; it ends with the shortest.
is = cellfun(@(v) isobject(v) && ismethod(v, 'hasdata'), varargin);
if isempty(is) || ~all(is)
    error('MATLAB:io:datastore:combine:Inputs', 'combine takes datastores.');
end
made = matlab.io.datastore.CombinedDatastore(varargin);
end
