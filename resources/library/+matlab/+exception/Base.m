classdef Base
    % BASE  What classes derived from MException have of it; they know it by that name.
    properties (SetAccess = protected)
        identifier = ''
        message = ''
        cause = {}
        stack = struct('file', cell(0, 1), 'name', cell(0, 1), 'line', cell(0, 1))
        Correction = []
    end

    methods
        function obj = Base(varargin)
            made = MException(varargin{:});
            obj.identifier = made.identifier;
            obj.message = made.message;
        end

        function obj = addCause(obj, cause)
            obj.cause = [obj.cause; {cause}];
        end

        function obj = addCorrection(obj, correction)
            obj.Correction = correction;
        end
    end
end
