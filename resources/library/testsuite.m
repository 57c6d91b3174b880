function tests = testsuite(where, varargin)
% testsuite(name): the tests of a file, class, package or folder, found by reading their text.
%   testsuite(name, 'Name', N, 'ProcedureName', P, 'Tag', T) are those that match all patterns (with
%   * and ?); 'IncludeSubfolders', true also looks below a folder.
if nargin == 0
    where = pwd;
end
rows = matlab.unittest.internal.discovered(where, varargin{:});
tests = matlab.unittest.Test.empty;
for k = 1:numel(rows)
    tests(k) = matlab.unittest.Test(rows(k));
end
end
