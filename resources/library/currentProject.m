function project = currentProject()
% The project that is open, or else that whose folder holds the script that runs or the current
%   folder: its Name, its RootFolder.
project = matlab.project.currentProject();
end
