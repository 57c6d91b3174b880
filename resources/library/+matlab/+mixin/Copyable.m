classdef Copyable < handle
    % Handle classes whose objects can be copied: copy(obj) is a new object with the same values.
    %   Handles among the properties are shared, not copied; override copyElement for deep copies.
    methods (Sealed)
        function new = copy(obj)
            % An object (or array of objects) with the same property values.
            new = copyElement(obj(1));
            for k = 2:numel(obj)
                new(k) = copyElement(obj(k));
            end
            if ~isempty(obj)
                new = reshape(new, size(obj));
            end
        end
    end

    methods (Access = protected)
        function new = copyElement(obj)
            % A copy of one object.
            new = matlab.internal.copyOf(obj);
        end
    end
end
