function c = codistributor(scheme, varargin)
% How a codistributed array is cut: codistributor, codistributor('1d', dim, partition).
if nargin == 0, scheme = '1d'; end
if ~strcmpi(scheme, '1d')
    error('parallel:codistributors:UnknownScheme', ...
        'Arrays are cut along one dimension: ''1d'', not ''%s''.', char(scheme));
end
c = codistributor1d(varargin{:});
end
