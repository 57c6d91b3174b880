classdef Verbosity < uint8
    % How much is told: None, Terse, Concise, Detailed or Verbose (0 to 4).
    enumeration
        None (0)
        Terse (1)
        Concise (2)
        Detailed (3)
        Verbose (4)
    end
end
