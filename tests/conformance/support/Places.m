classdef Places
    properties
        At
    end
    methods
        function p = Places(at), p.At = at; end
        function k = subsindex(p), k = p.At - 1; end
    end
end
