classdef Window
    % A view with its own size and end.
    properties (SetAccess = private)
        Items
    end
    methods
        function obj = Window(varargin)
            obj.Items = varargin;
        end
        function n = numel(obj, varargin)
            n = numel(obj.Items);
        end
        function k = end(obj, position, count)
            k = numel(obj.Items);
        end
        function varargout = size(obj, varargin)
            [varargout{1:max(1, nargout)}] = size(obj.Items, varargin{:});
        end
        function value = subsref(obj, s)
            switch s(1).type
                case '()'
                    value = obj.Items{s(1).subs{:}};
                otherwise
                    value = builtin('subsref', obj, s);
            end
        end
        function r = plus(a, b)
            r = Window(a.Items{:}, b.Items{:});
        end
    end
end
