function tests = testsuite(varargin)
% testsuite(name): the tests of a file, class, package or folder, found by reading their text.
%   testsuite(name, 'Name', N, 'ProcedureName', P, 'Tag', T) are those that match all patterns (with
%   * and ?); 'IncludeSubfolders', true also looks below a folder. Without a name: of this folder.
named = mod(nargin, 2) == 0 && (nargin == 0 || (isStringScalar(varargin{1}) || ischar(varargin{1})) ...
    && any(strcmpi(varargin{1}, {'Name', 'ProcedureName', 'Tag', 'IncludeSubfolders'})));
if named
    varargin = [{pwd}, varargin];
end
rows = matlab.unittest.internal.discovered(varargin{:});
tests = matlab.unittest.Test.empty;
for k = 1:numel(rows)
    tests(k) = matlab.unittest.Test(rows(k));
end
end
