from typer.testing import CliRunner

from dunlin import __version__
from dunlin.cli import app
from dunlin.errors import DunlinError


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.output.strip() == f"dunlin {__version__}"


def test_an_error_names_file_line_and_key() -> None:
    error = DunlinError("it is 3; it must be even", file="a.toml", line=7, key="ranks")
    assert str(error) == "a.toml:7: `ranks`: it is 3; it must be even"
    assert str(DunlinError("it is late")) == "it is late"
