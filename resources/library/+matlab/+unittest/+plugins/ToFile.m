classdef ToFile
    % A file that a plugin writes; 'WithAppend', true adds to it.
    properties (SetAccess = private)
        Filename
        Mode = 'w'
    end

    methods
        function stream = ToFile(name, options)
            arguments
                name
                options.WithAppend (1,1) logical = false
            end
            stream.Filename = char(name);
            if options.WithAppend
                stream.Mode = 'a';
            end
        end
    end
end
