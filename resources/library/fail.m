function [status, message] = fail(code, pattern, warning_pattern)
% [status, message] = fail(code): true when evaluating the code is an error (Octave's).
%   fail(code, pattern): whose message fits the pattern; fail(code, 'warning', pattern): a warning.
status = false;
message = '';
if nargin > 1 && strcmp(pattern, 'warning')
    wanted = '.';
    if nargin > 2
        wanted = warning_pattern;
    end
    lastwarn('');
    evalin('caller', [code ';']);
    message = lastwarn;
    status = ~isempty(message) && ~isempty(regexp(message, wanted, 'once'));
    if ~status
        message = sprintf('expected warning <%s> but got none', wanted);
    end
else
    wanted = '.';
    if nargin > 1
        wanted = pattern;
    end
    try
        evalin('caller', [code ';']);
        message = sprintf('expected error <%s> but got none', wanted);
    catch problem
        message = problem.message;
        status = ~isempty(regexp(message, wanted, 'once'));
        if ~status
            message = sprintf('expected <%s> but got <%s>', wanted, message);
        end
    end
end
if ~status
    error('%s', message);
end
end
