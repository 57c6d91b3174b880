function constraint = Throws(identifier)
% A function that ends with this error: its identifier.
says = @(action) said(thrown(action), identifier);
constraint = matlab.unittest.internal.Check(@(action) isempty(says(action)), says);
end

function problem = thrown(action)
% The error of a function; empty without one.
problem = [];
try
    action();
catch problem
end
end

function text = said(problem, identifier)
% What is wrong with an error; empty when it is the wanted one.
text = '';
if isempty(problem)
    text = 'No error was thrown.';
elseif ~strcmp(problem.identifier, identifier)
    text = sprintf('The error is ''%s'' (%s) instead of ''%s''.', problem.identifier, ...
        problem.message, identifier);
end
end
