classdef Probe
    % Says how its subscripts arrive.
    properties
        data = struct('a', {{10, 20, 30}})
    end
    methods
        function varargout = subsref(obj, s)
            fprintf('subsref %s\n', strjoin({s.type}, ' '));
            [varargout{1:max(1, nargout)}] = builtin('subsref', obj, s);
        end
        function obj = subsasgn(obj, s, value)
            fprintf('subsasgn %s\n', strjoin({s.type}, ' '));
            obj = builtin('subsasgn', obj, s, value);
        end
    end
end
