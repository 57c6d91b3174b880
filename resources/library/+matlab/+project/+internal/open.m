function project = open(project)
% The project that is open, [] without one; open(project) makes another one it.
persistent current
if nargin
    current = project;
end
project = current;
end
