classdef message
    % A message by its identifier, for error and warning: m = message(identifier, arguments...).
    %   There is no catalogue of texts: the text is the identifier and the arguments.
    properties (SetAccess = private)
        Identifier = '';
        Arguments = {};
    end

    methods
        function m = message(identifier, varargin)
            % message(identifier, arguments...).
            if nargin == 0, return, end
            m.Identifier = char(identifier);
            m.Arguments = varargin;
        end

        function text = getString(m)
            % The text of the message.
            parts = cellfun(@(a) char(strjoin(string(a), ' ')), m.Arguments, 'UniformOutput', false);
            text = strjoin([{m.Identifier} parts], ' ');
        end

        function text = char(m)
            % The text of the message.
            text = getString(m);
        end

        function text = string(m)
            % The text of the message.
            text = string(getString(m));
        end

        function error(m)
            % Raise an error with the message.
            throwAsCaller(MException(m.Identifier, '%s', getString(m)));
        end

        function assert(condition, m)
            % assert(condition, m): raise an error with the message where the condition is false.
            if ~condition, throwAsCaller(MException(m.Identifier, '%s', getString(m))); end
        end

        function warning(m)
            % Warn with the message.
            warning(m.Identifier, '%s', getString(m));
        end
    end
end
