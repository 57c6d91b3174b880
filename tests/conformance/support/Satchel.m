classdef Satchel
    properties
        items = {}
    end
    methods
        function o = Satchel(varargin), o.items = varargin; end
        function n = numArgumentsFromSubscript(o, s, context)
            if s(1).type == "{}"
                n = numel(o.items(s(1).subs{:}));
            else
                n = builtin('numArgumentsFromSubscript', o, s, context);
            end
        end
        function varargout = subsref(o, s)
            switch s(1).type
                case '{}'
                    [varargout{1:nargout}] = o.items{s(1).subs{:}};
                case '.'
                    [varargout{1:nargout}] = builtin('subsref', o, s);
                otherwise
                    varargout{1} = Satchel(o.items{s(1).subs{:}});
            end
        end
    end
end
