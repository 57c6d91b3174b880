function s = terminal_size()
% s = terminal_size: how many lines and columns the command window shows.
s = fliplr(get(0, 'CommandWindowSize'));
end
