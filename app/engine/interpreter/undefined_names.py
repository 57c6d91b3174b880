"""Names that mean nothing: the error, and what to use instead of what is left out on purpose."""

from __future__ import annotations

from app.errors import MatlabError


def undefined_name(name: str) -> MatlabError:
    """The error for a name that means nothing."""
    text = f"Unrecognized function or variable '{name}'."
    if name in LEFT_OUT:
        text += f" {LEFT_OUT[name]}"
    error = MatlabError("MATLAB:UndefinedFunction", text)
    return error.as_in_octave("Octave:undefined-function", f"'{name}' undefined")


def unknown_superclass(name: str) -> MatlabError:
    """The error for a superclass that there is not."""
    text = f"The specified superclass '{name}' contains a parse error, cannot be found on the "
    text += "search path, or is shadowed by another file with the same name."
    instead = next((v for k, v in _SUPERCLASSES.items() if name.startswith(k)), "")
    return MatlabError("MATLAB:class:invalidSuperClass", f"{text} {instead}".rstrip())


_SUPERCLASSES = {
    "matlab.apps.": "App Designer's apps are not part of Fuselab: write a function that makes its "
    "figure with uicontrol and uipanel.",
    "matlab.ui.componentcontainer": "App Designer's components are not part of Fuselab: use "
    "uicontrol and uipanel.",
    "matlab.System": "System objects are not part of Fuselab: derive from handle and name the "
    "method that makes a step, as step(obj, u).",
    "matlab.mixin.indexing.": "Indexing by parts is not part of Fuselab: overload subsref, "
    "subsasgn and numArgumentsFromSubscript.",
}
"""What to do instead of deriving from a class that is left out, by how its name begins."""


def _left_out(names: str, instead: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), instead)


LEFT_OUT = {
    **_left_out(
        "sym syms symfun vpa digits assume assumeAlso vpasolve dsolve matlabFunction laplace "
        "ilaplace fourier ifourier ztrans iztrans symsum symprod simplifyFraction str2sym subs "
        "solve int limit expand collect coeffs numden jacobian poly2sym sym2poly taylor",
        "Symbolic mathematics is not part of Fuselab: use numbers and function handles, with "
        "fzero, fsolve, integral, ode45 or polyfit.",
    ),
    **_left_out(
        "dlarray dlfeval dlgradient dlnetwork dlupdate trainNetwork trainnet trainingOptions "
        "layerGraph featureInputLayer imageInputLayer sequenceInputLayer fullyConnectedLayer "
        "convolution2dLayer lstmLayer reluLayer softmaxLayer classificationLayer regressionLayer "
        "feedforwardnet patternnet fitnet newff",
        "Neural-network layers are not part of Fuselab: write the layers as array code, which runs "
        "on the GPU, with gradients of your own.",
    ),
    **_left_out(
        "CodeCoveragePlugin TestReportPlugin StopOnFailuresPlugin CoberturaFormat",
        "'fuselab test' stops at no failure and counts lines: --coverage FILE.info, or a folder of "
        "pages.",
    ),
    **_left_out(
        "uibutton uilabel uidropdown uislider uieditfield uigridlayout uicheckbox "
        "uispinner uiswitch uiknob uigauge uilamp uitextarea uilistbox uitabgroup uitab uihtml "
        "uiimage uitree uidatepicker appdesigner",
        "App Designer's components are not part of Fuselab: use uicontrol and uipanel, which a "
        "uifigure takes, too.",
    ),
    **_left_out(
        "wavread wavwrite auread auwrite wavplay wavrecord",
        "MATLAB no longer has it: use audioread, audiowrite or sound.",
    ),
    **_left_out(
        "sim simset load_system open_system new_system add_block set_param get_param slblocks",
        "Simulink models are not part of Fuselab: use ode45 or lsim for the equations.",
    ),
    **_left_out(
        "serial serialport bluetooth visa visadev arduino raspi udp tcpip tcpclient tcpserver "
        "udpport modbus",
        "Instruments and ports are not part of Fuselab: read the data from a file.",
    ),
    **_left_out(
        "cwtfilterbank cwtft wcoherence modwt imodwt fsst ifsst wsst vmd emd hht",
        "Synchronised transforms and mode decompositions are not part of Fuselab: use cwt, dwt, "
        "wavedec, stft or spectrogram.",
    ),
    **_left_out(
        "iddata idtf idpoly idss arx armax oe bj tfest ssest n4sid procest pem idnlarx",
        "Identification of systems is not part of Fuselab: use lsqcurvefit, arburg or invfreqz.",
    ),
    **_left_out(
        "garch egarch varm regARIMA gjr",
        "Econometric models are not part of Fuselab: use filter, autocorr and aryule, and "
        "fminunc of the likelihood.",
    ),
    **_left_out(
        "tokenizedDocument bagOfWords bagOfNgrams wordEncoding wordcloud textscatter "
        "erasePunctuation normalizeWords stopWords removeStopWords fastTextWordEmbedding "
        "readWordEmbedding trainWordEmbedding htmlTree extractHTMLText extractFileText fitlda",
        "Text analytics are not part of Fuselab: use lower, split, regexprep, ismember and "
        "groupcounts.",
    ),
    **_left_out(
        "worldmap usamap axesm geoshow mapshow plotm geotiffread readgeotable geoaxes geobasemap",
        "Maps are not part of Fuselab: plot longitudes and latitudes as x and y; shaperead reads "
        "shapes.",
    ),
    **_left_out(
        "insertShape insertText insertObjectAnnotation extractHOGFeatures detectSURFFeatures "
        "detectHarrisFeatures extractFeatures matchFeatures pcread pcshow webcam",
        "Computer vision and cameras are not part of Fuselab: use imread, edge and regionprops; "
        "frames of a film can be read as pictures.",
    ),
    **_left_out(
        "niftiread niftiwrite",
        "NIfTI files are not part of Fuselab: write the pictures as DICOM, TIFF or .mat files.",
    ),
    **_left_out(
        "javaObject javaMethod javaArray javaObjectEDT javaMethodEDT javaclasspath "
        "actxserver actxcontrol COM NET loadlibrary calllib libpointer libstruct",
        "Java, COM and compiled libraries are not part of Fuselab: call Python with py.",
    ),
    **_left_out(
        "mex pcode mcc codegen coder fi fimath",
        "Code is not translated: .m files run as they are, with loops as machine code or kernels.",
    ),
    **_left_out(
        "uitoolbar uipushtool uitoggletool uisplittool javacomponent",
        "Tool bars of figures are not part of Fuselab: use uimenu or uicontrol.",
    ),
    **_left_out(
        "avifile aviread addframe movie2avi mmreader",
        "MATLAB no longer has it: use VideoWriter and writeVideo.",
    ),
    **_left_out(
        "svmtrain svmclassify classregtree treefit knnclassify",
        "MATLAB no longer has it: use fitcsvm, fitctree or fitcknn, and predict.",
    ),
    **_left_out("psd spectrum", "MATLAB no longer has it: use pwelch or periodogram."),
    **_left_out("dataread", "MATLAB no longer has it: use textscan or readtable."),
    **_left_out("subimage", "MATLAB no longer has it: use imshow in subplot."),
    **_left_out("remez", "MATLAB no longer has it: use firpm."),
    **_left_out("remezord", "MATLAB no longer has it: use firpmord."),
    **_left_out("rcosfir rcosine", "MATLAB no longer has it: use rcosdesign."),
    **_left_out(
        "readfis writefis newfis mamfis sugfis evalfis genfis anfis addvar addmf addrule",
        "Fuzzy inference systems are not part of Fuselab: use the membership functions (trimf, "
        "gaussmf), min, max and defuzz.",
    ),
    **_left_out("stepwiselm", "It is not part of Fuselab: use stepwisefit or fitlm."),
    **_left_out("wvtool filterDesigner", "Use fvtool, freqz, grpdelay, impz and zplane."),
    **_left_out(
        "fitrsvm fitclinear fitrlinear fitcensemble fitrensemble fitrgp fitcnet fitrnet tsne "
        "bayesopt optimizableVariable",
        "This trained model is not part of Fuselab: use fitctree, fitcsvm, TreeBagger, fitcknn, "
        "kmeans, pca, fitlm, fitglm, fitnlm or lasso.",
    ),
}
"""What to use instead of functions that are left out on purpose, by their names."""
