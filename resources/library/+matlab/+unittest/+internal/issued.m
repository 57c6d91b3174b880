function [identifiers, outputs] = issued(action, count)
% The warnings that an action issues, and its outputs.
marker = 'matlab:unittest:begin';
warning('on', marker);
outputs = cell(1, count);
evalc('warning(marker, ''Begin.''); [outputs{:}] = action();');
[~, ~, all] = lastwarn();
identifiers = all(find(strcmp(all, marker), 1, 'last') + 1:end);
end
