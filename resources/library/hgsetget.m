classdef hgsetget < matlab.mixin.SetGet
    % Classes whose properties set and get read and change; an older name of matlab.mixin.SetGet.
end
