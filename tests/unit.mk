# Unit tests of src/option, src/measure, src/result, src/machine.
