function text = warned(action, identifier)
% What was wrong with an action's warnings; with no identifier there must be none.
lastwarn('', '');
state = warning('off', 'all');
restore = onCleanup(@() warning(state));
action();
[message, found] = lastwarn();
text = '';
if isempty(identifier)
    if ~isempty(message)
        text = sprintf('There was a warning: %s', message);
    end
elseif ~strcmp(found, identifier)
    text = sprintf('The warning is ''%s'' instead of ''%s''.', found, identifier);
end
end
