function runner = testrunner(kind)
% testrunner: a runner of tests that prints; testrunner("minimal") prints nothing.
runner = matlab.unittest.TestRunner.withTextOutput;
if nargin > 0 && strcmp(kind, 'minimal')
    runner = matlab.unittest.TestRunner.withNoPlugins;
elseif nargin > 0 && ~strcmp(kind, 'textoutput')
    error('MATLAB:unittest:UnknownOption', '''%s'' is no kind of runner: minimal, textoutput.', kind);
end
end
