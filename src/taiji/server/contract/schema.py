"""The contract as one JSON schema: every request, answer, frame and public event."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from taiji.server.contract import (
    account_changes,
    accounts,
    analysis,
    catalogue,
    errors,
    event_frames,
    frames,
    game,
    notifications,
    openings,
    people,
    puzzles,
    requests,
    server_info,
    sharing,
    tables,
    talk,
    tournaments,
    vacations,
)
from taiji.server.contract.clocks import ClockChoice
from taiji.server.contract.messages import SeatName

REQUESTS: dict[str, Any] = {
    "NameChange": accounts.NameChange,
    "NewAccount": accounts.NewAccount,
    "SignIn": accounts.SignIn,
    "PasswordChange": account_changes.PasswordChange,
    "PasswordReset": account_changes.PasswordReset,
    "PasswordConfirmation": account_changes.PasswordConfirmation,
    "Deletion": account_changes.Deletion,
    "NewToken": accounts.NewToken,
    "NewTable": requests.NewTable,
    "JoinBySecret": requests.JoinBySecret,
    "QrPath": requests.QrPath,
    "AnalysisRequest": requests.AnalysisRequest,
    "OpeningQuery": openings.OpeningQuery,
    "PuzzleTry": puzzles.PuzzleTry,
    "NewRecord": requests.NewRecord,
    "NewReview": requests.NewReview,
    "ReviewChange": requests.ReviewChange,
    "MoveTry": requests.MoveTry,
    "PairRequest": people.PairRequest,
    "PuzzleProgress": people.PuzzleProgress,
    "PuzzleSharing": people.PuzzleSharing,
    "NewTournament": tournaments.NewTournament,
    "JoinTournament": tournaments.JoinTournament,
    "WithdrawRequest": tournaments.WithdrawRequest,
    "ResultRequest": tournaments.ResultRequest,
    "NewPhrase": talk.NewPhrase,
    "NewBlock": talk.NewBlock,
    "NewReport": talk.NewReport,
    "NotificationsRead": notifications.NotificationsRead,
    "NewSubscription": notifications.NewSubscription,
    "PushEndpoint": notifications.PushEndpoint,
    "NewVacation": vacations.NewVacation,
    "ClientFrame": frames.ClientFrame,
}
"""What clients send; fields with a default are optional."""

ANSWERS: dict[str, Any] = {
    "SeatName": SeatName,
    "Status": tables.Status,
    "Opponent": tables.Opponent,
    "FormatName": tournaments.FormatName,
    "ClockChoice": ClockChoice,
    "Me": accounts.Me,
    "SessionList": accounts.SessionList,
    "Registered": account_changes.Registered,
    "RecoveryCodes": account_changes.RecoveryCodes,
    "RecoveryStatus": account_changes.RecoveryStatus,
    "TokenList": accounts.TokenList,
    "CreatedToken": accounts.CreatedToken,
    "Catalogue": catalogue.Catalogue,
    "OptionInfo": catalogue.OptionInfo,
    "GameDefinition": game.GameDefinition,
    "Region": game.Region,
    "TableInfo": tables.TableInfo,
    "TableSummary": tables.TableSummary,
    "TableList": tables.TableList,
    "ChallengeList": tables.ChallengeList,
    "TableVersion": tables.TableVersion,
    "LinkPath": tables.LinkPath,
    "SeatLinkList": tables.SeatLinkList,
    "BotList": tables.BotList,
    "PlayerPage": people.PlayerPage,
    "FollowedPlayers": people.FollowedPlayers,
    "PuzzleStanding": people.PuzzleStanding,
    "EventList": event_frames.EventList,
    "TableEvent": event_frames.TableEvent,
    "TableFrame": frames.TableFrame,
    "LobbyFrame": frames.LobbyFrame,
    "Notice": frames.Notice,
    "Phrase": talk.Phrase,
    "TableTalk": talk.TableTalk,
    "BlockInfo": talk.BlockInfo,
    "BlockList": talk.BlockList,
    "ReportReason": talk.ReportReason,
    "ReportReceived": talk.ReportReceived,
    "NotificationKind": notifications.NotificationKind,
    "NotificationList": notifications.NotificationList,
    "NotificationSettings": notifications.NotificationSettings,
    "NotificationsFrame": notifications.NotificationsFrame,
    "PushInfo": notifications.PushInfo,
    "PushStatus": notifications.PushStatus,
    "PushMessage": notifications.PushMessage,
    "Agenda": vacations.Agenda,
    "VacationInfo": vacations.VacationInfo,
    "Analysis": analysis.Analysis,
    "ReviewInfo": analysis.ReviewInfo,
    "StoredReview": analysis.StoredReview,
    "OpeningAnswer": openings.OpeningAnswer,
    "PuzzleRating": puzzles.PuzzleRating,
    "PuzzleRatings": puzzles.PuzzleRatings,
    "TriedMove": analysis.TriedMove,
    "RecordInfo": analysis.RecordInfo,
    "EmbeddedGame": sharing.EmbeddedGame,
    "TournamentInfo": tournaments.TournamentInfo,
    "TournamentList": tournaments.TournamentList,
    "PublicTournaments": tournaments.PublicTournaments,
    "TournamentMessage": tournaments.TournamentMessage,
    "TournamentOfTable": tournaments.TournamentOfTable,
    "AuditLog": tournaments.AuditLog,
    "Leaderboard": tournaments.Leaderboard,
    "Leaderboards": tournaments.Leaderboards,
    "RatingHistory": tournaments.RatingHistory,
    "Health": server_info.Health,
    "ErrorResponse": errors.ErrorResponse,
}
"""What the server sends; all fields are present."""


Entry = tuple[tuple[str, str], Literal["validation", "serialization"], TypeAdapter[Any]]


class _Schema(GenerateJsonSchema):
    """Without titles, of which a generator would make types; all fields of an answer are required."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return whether a field gets a title."""
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Return whether a field is always present."""
        return self.mode == "serialization" or super().field_is_required(field, total)

    def tuple_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a tuple with `items` as a list, as draft 7 has it."""
        result = super().tuple_schema(schema)
        if "prefixItems" in result:
            result["items"] = result.pop("prefixItems")
        return result


def contract_schema(ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
    """Return the schema; its `$defs` hold every type by its name."""
    inputs: list[Entry] = [
        ((name, "request"), "validation", TypeAdapter(type_)) for name, type_ in REQUESTS.items()
    ]
    answers: list[Entry] = [
        ((name, "answer"), "serialization", TypeAdapter(type_)) for name, type_ in ANSWERS.items()
    ]
    schemas, document = TypeAdapter.json_schemas(
        [*inputs, *answers], ref_template=ref_template, schema_generator=_Schema
    )
    definitions: dict[str, Any] = document["$defs"]
    for ((name, _), _), schema in schemas.items():
        definitions.setdefault(name, schema)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Contract", **document}
