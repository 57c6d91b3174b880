classdef CustomCompactDisplayProvider
    % Classes that say how their objects are shown inside containers; here containers show size and class.
    methods
        function shown = compactRepresentationForSingleLine(obj, varargin)
            % What one object is in one line: its size and class.
            shown = string(join(string(size(obj)), "x")) + " " + class(obj);
        end
    end
end
