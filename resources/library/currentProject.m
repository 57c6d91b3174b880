function project = currentProject()
% currentProject: the project that is open, or else that whose folder holds the script that runs or
%   the current folder, with its Name and RootFolder.
project = matlab.project.currentProject();
end
